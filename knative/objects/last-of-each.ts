/** Removes variables that a later one of the same name overrides: an API server refuses duplicates. */
export const lastOfEach = <T extends { readonly name: string }>(variables: readonly T[]): readonly T[] =>
  variables.filter(({ name }, index) => !variables.slice(index + 1).some(later => later.name === name))
