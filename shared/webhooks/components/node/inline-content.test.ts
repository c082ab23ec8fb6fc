import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textOfBase64, textOfInline, withInlineText } from './operating-system-config.ts'

describe('content of a file', () => {
  test.each([undefined, null, '', 'b64'])('is written in its original encoding: %s', encoding => {
    const content = withInlineText({ encoding, data: '', of: 'tomorrow' }, 'grün\n')
    expect(content).toMatchObject({ encoding, of: 'tomorrow' })
    expect(textOfInline(content)).toBe('grün\n')
  })

  test('in another encoding is refused', () => {
    expect(() => textOfInline({ encoding: 'gzip+b64', data: 'SECRET' })).toThrow(
      new Error('its encoding is neither empty nor b64'),
    )
  })
})

describe('base64', () => {
  test('any text is read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        expect(textOfBase64(Buffer.from(text).toString('base64'))).toBe(text)
      }),
    )
  })

  test('may have several lines', () => {
    expect(textOfBase64('YWJj\r\nZA==\n')).toBe('abcd')
  })

  test('retains a byte order mark', () => {
    expect(textOfBase64('77u/YQ==')).toBe('\uFEFFa')
  })

  test.each(['SECRET!', 'YWJjZA=', 'YWJjZA', 'YW Jj', '=', 'ab-_'])('a retention of %j is refused', data => {
    expect(() => textOfBase64(data)).toThrow(new Error('expected base64 text'))
  })

  test('is refused if it is not text', () => {
    expect(() => textOfBase64('/w==')).toThrow(new Error('it is not UTF-8 text'))
  })
})
