import type { KindName } from '../../../shared/contract/kinds.ts'

/** The types of each kind that have a function. */
export interface Served {
  types(kind: KindName): readonly string[]
  /** True if these are all types; false if they are only the ones seen so far. */
  readonly complete: boolean
  /** A step has claimed an object of this type. */
  note(kind: KindName, type: string): void
}

/** All types, by kind; an absent kind has no types. */
export type ServedTypes = Partial<Readonly<Record<KindName, readonly string[]>>>

/** The types with a function: the known ones, or else those learned from objects that a step has claimed. */
export const createServed = (known?: ServedTypes): Served => {
  if (known !== undefined) return { complete: true, types: kind => known[kind] ?? [], note: () => undefined }
  const seen = new Map<KindName, Set<string>>()
  return {
    complete: false,
    types: kind => [...(seen.get(kind) ?? [])],
    note: (kind, type) => {
      seen.set(kind, (seen.get(kind) ?? new Set()).add(type))
    },
  }
}
