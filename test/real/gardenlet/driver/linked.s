// This file is empty: the compiler accepts functions without a body only in a package with assembly.
