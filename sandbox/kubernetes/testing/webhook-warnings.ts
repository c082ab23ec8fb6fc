import { describe, expect, test } from 'vitest'
import type { FailureContext } from './webhook-failures.ts'

/** The contract for warnings of webhooks. */
export const warningContract = ({ server, register, create, configMap }: FailureContext): void => {
  describe('the warnings of a webhook', () => {
    test('they are returned with an object and with a denial', async () => {
      server().answer('/warn', ({ name }) => ({
        allowed: name === 'warned',
        warnings: ['mind "this"', 'and that'],
      }))
      await register('validating', [{ path: '/warn' }])
      const shown = ['299 - "mind \\"this\\""', '299 - "and that"']
      for (const one of ['warned', 'refused']) {
        const { warning } = await create(configMap(one))
        for (const text of shown) expect(warning).toContain(text)
      }
    })

    test('a warning may have any visible character, and one with a control character is dropped', async () => {
      server().answer('/visible', () => ({
        allowed: true,
        warnings: ['größer → 🚀 \\', 'hid\u001b[31mden', 'end'],
      }))
      await register('validating', [{ path: '/visible' }])
      const { warning } = await create(configMap('visible'))
      const text = Buffer.from(warning, 'latin1').toString()
      expect(text.split(', ').sort()).toEqual(['299 - "end"', '299 - "größer → 🚀 \\\\"'])
    })

    test('they are cut to 256 characters each once they have more than 4,096 together', async () => {
      const warnings = Array.from({ length: 20 }, (_, index) => `${index} `.padEnd(300, 'x'))
      server().answer('/long', ({ name }) => ({
        allowed: true,
        warnings: name === 'short' ? warnings.slice(0, 13) : warnings,
      }))
      await register('validating', [{ path: '/long' }])
      const lengths = async (name: string) =>
        (await create(configMap(name))).warning.split(', ').map(text => text.length - '299 - ""'.length)
      expect(await lengths('short')).toEqual(Array.from({ length: 13 }, () => 300))
      expect(await lengths('long')).toEqual(Array.from({ length: 16 }, () => 256))
    })
  })
}
