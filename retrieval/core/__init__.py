"""The small core every room may import: types, codes, stages, combinators, ports."""
