"""Reads a git repository with code of our own, so that nothing which the repository says can run.

Why git itself is not asked: `git status` runs what the repository's settings name (clean filters, file
monitors, the upload-pack of a promisor remote, the settings of submodules, whatever a later version adds),
finds repositories where none was meant (a folder of a clone that looks like a bare one), waits at a FIFO, and
costs a process. Settings that switch all of that off are a list which must be complete for every version of
git. The index, the ignore rules and the tree of the last commit are documented formats that hold data alone:
reading them runs nothing, whatever they say, and can be bounded in entries, bytes and time.

Whatever is not understood for sure is `CannotTell`, and then the work counts as uncommitted.
"""
