/** Variables of which a later one replaces an earlier one of its name: an API server refuses two alike. */
export const lastOfEach = <T extends { readonly name: string }>(variables: readonly T[]): readonly T[] =>
  variables.filter(({ name }, index) => !variables.slice(index + 1).some(later => later.name === name))
