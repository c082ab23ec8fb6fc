/** Compares names by their bytes, as Go sorts strings. */
export const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  Buffer.compare(Buffer.from(one.name), Buffer.from(other.name))
