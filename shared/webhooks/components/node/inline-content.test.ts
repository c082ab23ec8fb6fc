import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textOfBase64, textOfInline, withInlineText } from './inline-content.ts'

describe('content of a file', () => {
  test.each([undefined, null, '', 'b64'])('is written back in the encoding it had: %s', encoding => {
    const content = withInlineText({ encoding, data: '', of: 'tomorrow' }, 'grün\n')
    expect(content).toMatchObject({ encoding, of: 'tomorrow' })
    expect(textOfInline(content)).toBe('grün\n')
  })

  test('in another encoding is not read', () => {
    expect(() => textOfInline({ encoding: 'gzip+b64', data: 'SECRET' })).toThrow(
      new Error('its encoding is neither empty nor b64'),
    )
  })
})

describe('base64', () => {
  test('of any text is read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        expect(textOfBase64(Buffer.from(text).toString('base64'))).toBe(text)
      }),
    )
  })

  test('may be in several lines', () => {
    expect(textOfBase64('YWJj\r\nZA==\n')).toBe('abcd')
  })

  test('keeps a mark of the order of bytes', () => {
    expect(textOfBase64('77u/YQ==')).toBe('\uFEFFa')
  })

  test.each(['SECRET!', 'YWJjZA=', 'YWJjZA', 'YW Jj', '=', 'ab-_'])('is not %j', data => {
    expect(() => textOfBase64(data)).toThrow(new Error('it is not base64'))
  })

  test('of other bytes than text is refused', () => {
    expect(() => textOfBase64('/w==')).toThrow(new Error('it is not text in UTF-8'))
  })
})
