"""Lines that were written before the rules, by people who had not seen the code.

Half of each class is open: who writes rules may read it once it has been scored. The other half is sealed:
nobody reads it, and only its figures are printed.
"""
