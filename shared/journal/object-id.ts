import type { EventEntry } from './entry.ts'

/** The parts of an object's id. Events and objects have them. */
export interface Identified {
  readonly kind: string
  readonly name: string
  readonly namespace?: string | undefined
}

/** Returns an object's id in a journal: `DNSRecord shoot--garden--rose/rose-external`, `BackupBucket backups`. */
export const objectIdOf = ({ kind, namespace, name }: Identified): string =>
  namespace === undefined || namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`

/** Returns the id of an event's object. Its attributes are extensions, so other programs may write events without. */
export const objectIdOfEvent = ({ kind, namespace, name, subject }: EventEntry['event']): string =>
  typeof kind === 'string' && typeof name === 'string'
    ? objectIdOf({ kind, name, namespace: typeof namespace === 'string' ? namespace : undefined })
    : subject

/** Returns the parts of an id, or undefined if the text is not an id. */
export const partsOfObjectId = (id: string): Identified | undefined => {
  const [, kind, namespace, name] = /^([^ /]+) (?:([^ /]+)\/)?([^ /]+)$/.exec(id) ?? []
  return kind === undefined || name === undefined ? undefined : { kind, namespace, name }
}
