import { type JournalEntry, type JournalHeader, partsOfObjectId } from '../../shared/journal/journal.ts'

/** The content of a recording, for its summary. */
export interface JournalTally {
  readonly entries: { readonly [type in JournalEntry['type']]: number }
  /** The namespaces with recorded objects. */
  readonly shoots: readonly string[]
  /** The reasons of its gaps, each once. */
  readonly gaps: readonly string[]
}

/** The most gaps that a summary lists. */
const mostGaps = 1_000

/** Counts the entries of a journal. */
export const createTally = () => {
  const entries = { object: 0, event: 0, step: 0, gap: 0 }
  const shoots = new Set<string>()
  const gaps = new Set<string>()
  return {
    count: (value: JournalHeader | JournalEntry): void => {
      if (!('type' in value)) return
      entries[value.type]++
      if (value.type === 'gap' && gaps.size < mostGaps) gaps.add(value.why)
      if (value.type !== 'object') return
      const { kind, namespace, name } = partsOfObjectId(value.id) ?? {}
      if (kind === 'Cluster' && name !== undefined) shoots.add(name)
      else if (namespace?.startsWith('shoot-')) shoots.add(namespace)
    },
    result: (): JournalTally => ({ entries: { ...entries }, shoots: [...shoots], gaps: [...gaps] }),
  }
}
