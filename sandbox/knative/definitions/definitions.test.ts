import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { besidePath, isBeside, withBeside } from '../../../test/beside/beside.ts'
import { knativeDefinitions } from './definitions.ts'

/** Removes descriptions and sorts `required`. */
const bare = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !(name === 'description' && typeof inner === 'string'))
      .map(([name, inner]) => [
        name,
        name === 'required' && Array.isArray(inner) ? inner.toSorted() : bare(inner),
      ]),
  )
}

describe.skipIf(!isBeside('crds'))(withBeside('crds', "Knative's published CRDs"), () => {
  test.each(knativeDefinitions().map(one => [one.metadata.name, one] as const))(
    '%s is the same',
    (name, one) => {
      const [plural, ...group] = name.split('.')
      const published = Object(
        parse(readFileSync(besidePath('crds', `${group.join('.')}_${plural}.yaml`), 'utf8')),
      )
      expect(bare(one.spec)).toEqual(bare(published.spec))
    },
  )
})
