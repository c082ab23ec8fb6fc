import type { KindName } from '../../shared/contract/kinds.ts'

/** For which types of each kind somebody is there. */
export interface Served {
  types(kind: KindName): readonly string[]
  /** Whether these are all; false: only those that were seen so far. */
  readonly complete: boolean
  /** A step has claimed an object of this type. */
  note(kind: KindName, type: string): void
}

/** All of them, by kind; a kind that is absent has none. */
export type ServedTypes = Partial<Readonly<Record<KindName, readonly string[]>>>

/** Types that are remembered of a kind; a seed has a handful. */
const mostTypes = 32

/** What is served: as somebody knows it, else learned from objects that a step has claimed. */
export const createServed = (known?: ServedTypes): Served => {
  if (known !== undefined) return { complete: true, types: kind => known[kind] ?? [], note: () => undefined }
  const seen = new Map<KindName, Set<string>>()
  return {
    complete: false,
    types: kind => [...(seen.get(kind) ?? [])],
    note: (kind, type) => {
      const types = seen.get(kind) ?? new Set()
      if (types.size < mostTypes) seen.set(kind, types.add(type))
    },
  }
}
