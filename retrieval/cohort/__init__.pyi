from .groups import Cohort as Cohort
from .groups import cohort_json as cohort_json
from .groups import cohort_of as cohort_of
from .groups import stream_cohort as stream_cohort
