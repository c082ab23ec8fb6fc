import type { ObjectKey } from '../kubernetes/kubernetes.ts'

/** Replaces the names of an object and its shoot, and ids that AWS and OpenStack choose, so that equal texts are equal. */
export const withoutNames = (text: string, { namespace = '', name }: ObjectKey): string => {
  const named: readonly (readonly [string, string])[] = [
    [namespace, '‹shoot›'],
    [name, '‹name›'],
    [namespace.split('--').at(-1) ?? '', '‹shoot›'],
  ]
  return named
    .filter(([given]) => given !== '')
    .reduce((rest, [given, sign]) => rest.replaceAll(wordOf(given), sign), text)
    .replace(/\b(?:[a-z]+-[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g, '‹id›')
}

/** Matches a name that is not a part of another word. */
const wordOf = (name: string): RegExp =>
  new RegExp(`(?<![\\w-])${name.replace(/[^\w-]/g, '\\$&')}(?![\\w])`, 'g')
