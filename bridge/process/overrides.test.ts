import { describe, expect, test } from 'vitest'
import { parseOverrides } from './overrides.ts'

describe('K_CE_OVERRIDES', () => {
  test.each([
    ['{"extensions":{"team":"a","tier":"1"}}', { team: 'a', tier: '1' }],
    ['{"extensions":{}}', {}],
    ['{}', {}],
  ])('%s gives %j', (text, extensions) => {
    expect(parseOverrides(text)).toEqual(extensions)
  })

  test.each([
    ['team=a', /expected JSON/],
    ['[]', /expected JSON/],
    ['{"team":"a"}', /expected JSON/],
    ['{"extensions":["a"]}', /expected JSON/],
    ['{"extensions":{"a-b":"c"}}', /lower-case letters and digits, found "a-b"/],
    ['{"extensions":{"team":1}}', /team must be a string/],
    // The sender could not write any event.
    ['{"extensions":{"schemaurl":"x"}}', /cannot have an extension schemaurl$/],
    ['{"extensions":{"constructor":"x"}}', /cannot have an extension constructor$/],
    ['{"extensions":{"provider":"x"}}', /already have an attribute provider$/],
  ])('%s is refused', (text, message) => {
    expect(() => parseOverrides(text)).toThrow(message)
  })
})
