import { shortestSecret } from '../../../shared/lifecycle/lifecycle.ts'
import { createTextSearch, type Marks, replaceParts } from '../../../shared/text/text-search.ts'
import { type Hide, isHidden } from './hidden-text.ts'
import { isPublicKey } from './secret-names.ts'

/** Larger values are files, such as a Helm release. Their words are still searched up to this length. */
const mostOfValue = 256 * 1024

/** The namespace of a shoot. Many Secrets contain it, and it is in every id. */
const technicalId = /^(?:shoot|source-shoot)--[a-z0-9-]+$/

/** Searches texts for the values of Secrets, however many there are. */
export interface ValueSearch {
  /** Adds the values of a Secret's `data`. */
  add(data: Readonly<Record<string, unknown>>): void
  /** Replaces each value in each form: as is, in JSON, in a URL, in hex, and in base64, also inside a longer text. */
  replace(text: string): string
}

/** Creates a search that stores no value and no form, only hashes of their beginnings. Its time is linear. */
export const createValueSearch = (hide: Hide, marks?: Marks<string>): ValueSearch => {
  const search = createTextSearch<string>(shortestSecret, marks)
  const addValue = (value: string): void => {
    if (value.length < shortestSecret || isHidden(value) || technicalId.test(value)) return
    const placeholder = hide(value)
    for (const text of formsOf(value)) search.add(text, placeholder)
  }
  return {
    add: data => {
      for (const [key, encoded] of Object.entries(data)) {
        if (typeof encoded !== 'string' || isPublicKey(key)) continue
        const value = Buffer.from(encoded.slice(0, mostOfValue * 2), 'base64')
          .subarray(0, mostOfValue)
          .toString('utf8')
          .trim()
        for (const text of value.includes('\n') ? secretWords(value) : [value]) addValue(text)
      }
    },
    replace: text => replaceParts(text, search.partsOf(text), placeholder => placeholder),
  }
}

/** The words of a file that can be secrets: random ones, and those that are assigned to a secret name. */
const secretWords = (text: string): readonly string[] => {
  const random = text
    .split(/[\s"',;]+/)
    .filter(word => word.length >= 16 && /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word))
  const hex = text.match(/\b[0-9a-f]{32,}\b/gi) ?? []
  const assigned = text.split('\n').flatMap(line => {
    const at = line.search(/[:=]/)
    if (at === -1 || !/pass|secret|token|key|credential/i.test(line.slice(0, at))) return []
    const [word] = line.slice(at + 1).match(/[^\s"']+/) ?? []
    return word === undefined ? [] : [word]
  })
  return [...random, ...hex, ...assigned]
}

const formsOf = (value: string): readonly string[] => {
  const bytes = Buffer.from(value)
  const json = JSON.stringify(value).slice(1, -1)
  const url = encodeURIComponent(value.toWellFormed())
  const embedded = [0, 1, 2].map(offset => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '')
    // The letters at both ends depend on the bytes beside the value.
    return encoded.slice(offset === 0 ? 0 : offset + 1, -1)
  })
  return [
    value,
    json,
    url,
    bytes.toString('hex'),
    ...embedded,
    ...embedded.map(text => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}
