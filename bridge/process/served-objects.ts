import { extensionClasses } from '../../shared/contract/constants.ts'
import { kindNames } from '../../shared/contract/kinds.ts'
import type { HostedProgram } from '../../shared/runner/runner.ts'
import type { ServedObjects, ServedTypes } from '../core/core.ts'

const uncheckedMark = 'unchecked'

/**
 * Reads `DNSRecord/acme-dns` (of class shoot), `DNSRecord/acme-dns/shoot+seed` and, for a function without health
 * checks, `Worker/acme/shoot/unchecked`. Throws a TypeError that quotes any other text.
 */
export const parseServedObjects = (text: string): ServedObjects => {
  const [given, type, classes = 'shoot', mark, ...more] = text.split('/')
  const kind = kindNames.find(name => name === given)
  const read = classes.split('+').map(name => extensionClasses.find(known => known === name))
  const named = read.filter(name => name !== undefined)
  if (
    kind === undefined ||
    type === undefined ||
    type === '' ||
    named.length < read.length ||
    (mark !== undefined && mark !== uncheckedMark) ||
    more.length > 0
  )
    throw new TypeError(
      `expected Kind/type, Kind/type/class+class such as DNSRecord/acme-dns/shoot+seed, or Kind/type/class/${uncheckedMark}, found ${text}`,
    )
  return { kind, type, classes: named, ...(mark !== undefined && { unchecked: true }) }
}

/** Formats the text that `parseServedObjects` reads. */
export const formatServedObjects = ({ kind, type, classes, unchecked = false }: ServedObjects): string => {
  const text = classes.join('+')
  const parts = unchecked ? [text, uncheckedMark] : text === 'shoot' ? [] : [text]
  return [kind, type, ...parts].join('/')
}

/** Returns the objects that the programs serve, for the selection of the bridge. */
export const objectsOf = (programs: readonly HostedProgram[]): readonly ServedObjects[] =>
  programs.flatMap(({ functions }) =>
    functions.flatMap(({ kind, types, classes }) => types.map(type => ({ kind, type, classes }))),
  )

/** Returns the types that the programs serve, by kind. */
export const typesOf = (programs: readonly HostedProgram[]): ServedTypes => {
  const types: { -readonly [K in keyof ServedTypes]: string[] } = {}
  for (const { kind, type } of objectsOf(programs)) types[kind] = [...(types[kind] ?? []), type]
  return types
}
