import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { txtRecord, txtText } from './txt-record.ts'

describe('a TXT value', () => {
  test.each([
    ['plain', 'plain'],
    ['v=spf1', 'v=spf1'],
    ['"in quotes"', '"in quotes"'],
    ['"two" "strings"', '"two" "strings"'],
    ['hello world', '"hello world"'],
    ['v=DKIM1;k=rsa', '"v=DKIM1;k=rsa"'],
    ['v=DKIM1\\;k=rsa', '"v=DKIM1\\;k=rsa"'],
    ['say "hi"', '"say \\"hi\\""'],
    ['"half', '"\\"half"'],
    ['back\\', '"back\\\\"'],
    ['line\nbreak', '"line\\010break"'],
    ['x'.repeat(300), `"${'x'.repeat(253)}" "${'x'.repeat(47)}"`],
    ['ü'.repeat(200), `"${'ü'.repeat(126)}" "${'ü'.repeat(74)}"`],
  ])('%j is sent as %j', (value, record) => {
    expect(txtRecord(value)).toBe(record)
  })

  test('has one text in every spelling', () => {
    expect(txtText('"plain"')).toBe(txtText('plain'))
    expect(txtText('"a" "b"')).toBe(txtText('"ab"'))
    expect(txtText('"a\\"\\059"')).toBe('a";')
    expect(txtText('"a b"')).not.toBe(txtText('"ab"'))
  })

  test('keeps its text, and is accepted by Designate in its own form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 600 }), value => {
        const record = txtRecord(value)
        expect(txtRecord(record)).toBe(record)
        if (!value.includes('\\') && !value.startsWith('"'))
          expect(txtText(record)).toBe(Buffer.from(value).toString('latin1'))
        for (const string of record.match(/"(?:[^"\\]|\\.)*"/gsu) ?? [])
          expect(string.length).toBeLessThanOrEqual(255)
      }),
    )
  })
})
