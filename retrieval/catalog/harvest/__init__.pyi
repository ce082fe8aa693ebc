from .compare import compare_facts as compare_facts
from .compare import compared_text as compared_text
from .findings import Citation as Citation
from .findings import Findings as Findings
from .folder import SourceFolder as SourceFolder
from .harvest import harvest_folder as harvest_folder
