"""How good the tests are: small faults are put into the code, one at a time, and the tests must notice.

`make mutants` runs it. A mutant is one change at one place of one module (`changes`); it is tried by the
tests of its room that run the changed line (`rooms`, `trial`), and what came of it is kept (`records`), so
that a run can stop at any time and the next one goes on. `accepted.txt` lists the survivors that no test can
or should kill, each with its reason.

Why not mutmut or cosmic-ray: both start a new interpreter and a new pytest for each mutant, which takes
seconds here before the first test runs, and the rooms have thousands of mutants. This runner forks a process
that has pytest, hypothesis and every library in memory already, imports Fairlead afresh in the child with one
module changed, and runs nothing but the tests that reach the change, the quickest first. The source on the
disk is never touched, so others can work in the tree meanwhile.
"""
