import { expect, test } from 'vitest'
import { parseSettings } from '../../../runtime/runtime.ts'
import { webhookSettings } from './settings.ts'

test('for the former name of the address, the settings of the webhooks suggest the new one', () => {
  expect(() => parseSettings(webhookSettings, { env: { TRELLIS_HOST: '127.0.0.1' } })).toThrow(
    'unknown setting TRELLIS_HOST. Did you mean TRELLIS_ADDRESS?',
  )
})
