import { inEachRow, type WorldException } from '../../../sandbox/simulation/oracle/oracle.ts'

/** Differences between the world before a creation and the world after the deletion. */
export const remainders: readonly WorldException[] = [
  {
    why: 'the first ManagedResource opens the shoot, and a resource manager forgets objects that it applied before it failed',
    rows: inEachRow(row =>
      /^shoot | Secret \S+\/gardener(?:-internal)?$/.test(row.place) ? undefined : row,
    ),
  },
  {
    why: 'the Secret of a backup had a user before',
    rows: inEachRow(row => {
      if (!row.place.startsWith('seed Secret garden/')) return row
      const { metadata, ...object } = Object(row.value)
      return { ...row, value: { ...object, metadata: { ...metadata, finalizers: undefined } } }
    }),
  },
]
