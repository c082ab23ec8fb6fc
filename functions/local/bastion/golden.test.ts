import { describe, test } from 'vitest'
import { expectRecordedLife } from '../testing/play-provider-life.ts'
import { definition } from './function.ts'

describe('the recorded life', () => {
  test('looks the same after each step, and the provider cluster gets the same objects', () =>
    expectRecordedLife(definition, 'local/bastion'))
})
