import { extensionClasses } from '../../shared/contract/constants.ts'
import { kindNames } from '../../shared/contract/kinds.ts'
import type { ServedObjects } from '../core/core.ts'

/**
 * Reads `DNSRecord/acme-dns` (of class shoot) and `DNSRecord/acme-dns/shoot+seed`. Throws a TypeError that quotes any
 * other text.
 */
export const parseServedObjects = (text: string): ServedObjects => {
  const [given, type, classes = 'shoot', ...more] = text.split('/')
  const kind = kindNames.find(name => name === given)
  const read = classes.split('+').map(name => extensionClasses.find(known => known === name))
  const named = read.filter(name => name !== undefined)
  if (
    kind === undefined ||
    type === undefined ||
    type === '' ||
    named.length < read.length ||
    more.length > 0
  )
    throw new TypeError(
      `expected Kind/type or Kind/type/class+class such as DNSRecord/acme-dns/shoot+seed, found ${text}`,
    )
  return { kind, type, classes: named }
}

/** Formats the text that `parseServedObjects` reads. */
export const formatServedObjects = ({ kind, type, classes }: ServedObjects): string =>
  [kind, type, ...(classes.join() === 'shoot' ? [] : [classes.join('+')])].join('/')
