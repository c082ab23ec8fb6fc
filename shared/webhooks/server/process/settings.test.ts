import { expect, test } from 'vitest'
import * as z from 'zod'
import { parseSettings } from '../../../runtime/runtime.ts'
import { webhookSettings, webhookSettingsOf } from './settings.ts'

test('for the former name of the address, the settings of the webhooks suggest the new one', () => {
  expect(() => parseSettings(webhookSettings, { env: { TRELLIS_HOST: '127.0.0.1' } })).toThrow(
    'unknown setting TRELLIS_HOST. Did you mean TRELLIS_ADDRESS?',
  )
})

test('the value of a setting that two webhooks have must suit both', () => {
  const colour = (expression: RegExp) => ({
    settings: z.object({
      colour: z.string().regex(expression).default('red').meta({ description: 'The colour.' }),
    }),
  })
  const settings = webhookSettingsOf([colour(/^r/), colour(/d$/)])
  const parse = (value: string) => parseSettings(settings, { env: { TRELLIS_COLOUR: value } }).colour
  expect(parseSettings(settings, { env: {} }).colour).toBe('red')
  expect(parse('road')).toBe('road')
  for (const wrong of ['rot', 'dead']) expect(() => parse(wrong)).toThrow('TRELLIS_COLOUR')
})
