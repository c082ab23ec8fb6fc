import { shortestSecret } from '../../../shared/lifecycle/lifecycle.ts'
import { replaceTexts } from '../../../shared/text/replace-texts.ts'
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

/**
 * Compares only the first characters of each form while it moves over a text, by a hash that moves along (Rabin-Karp).
 * So the time does not depend on the number of values, and no form is in memory.
 */
export const createValueSearch = (hide: Hide): ValueSearch => {
  const values = new Set<string>()
  /** By the hash of a form's first characters: the values and the places of the form in `forms`. */
  const starts = new Map<number, { readonly value: string; readonly form: number }[]>()
  const addValue = (value: string): void => {
    if (value.length < shortestSecret || values.has(value) || isHidden(value) || technicalId.test(value))
      return
    values.add(value)
    for (const [form, text] of formsOf(value).entries()) {
      if (text === undefined || text.length < shortestSecret) continue
      const start = hashOf(text)
      const known = starts.get(start)
      if (known === undefined) starts.set(start, [{ value, form }])
      else known.push({ value, form })
    }
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
    replace: text => {
      if (starts.size === 0 || text.length < shortestSecret) return text
      const found = new Map<string, Set<string>>()
      forEachStart(text, (hash, at) => {
        for (const { value, form } of starts.get(hash) ?? []) {
          const expected = formsOf(value)[form] ?? ''
          if (!text.startsWith(expected, at)) continue
          const forms = found.get(value) ?? new Set()
          found.set(value, forms.add(expected))
        }
      })
      let clean = text
      for (const [value, forms] of found) clean = replaceTexts(clean, [...forms], hide(value))
      return clean
    },
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

/** Undefined: the form equals an earlier one. */
const formsOf = (value: string): readonly (string | undefined)[] => {
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
    json === value ? undefined : json,
    url === value ? undefined : url,
    bytes.toString('hex'),
    ...embedded,
    ...embedded.map(text => (/[+/]/.test(text) ? text.replaceAll('+', '-').replaceAll('/', '_') : undefined)),
  ]
}

const factor = 31
const factorOfFirst = Array.from({ length: shortestSecret - 1 }).reduce<number>(
  product => Math.imul(product, factor),
  1,
)

const hashOf = (text: string): number => {
  let hash = 0
  for (let at = 0; at < shortestSecret; at++) hash = (Math.imul(hash, factor) + text.charCodeAt(at)) | 0
  return hash
}

const forEachStart = (text: string, visit: (hash: number, at: number) => void): void => {
  let hash = hashOf(text)
  visit(hash, 0)
  for (let at = 1; at + shortestSecret <= text.length; at++) {
    hash = (hash - Math.imul(text.charCodeAt(at - 1), factorOfFirst)) | 0
    hash = (Math.imul(hash, factor) + text.charCodeAt(at + shortestSecret - 1)) | 0
    visit(hash, at)
  }
}
