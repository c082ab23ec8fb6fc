import { describe, test } from 'vitest'
import { isBeside, withBeside } from '../../../test/beside/beside.ts'
import { playExtension } from '../../testing/play-extension.ts'
import { definition } from './function.ts'

describe.skipIf(!isBeside('golden'))(withBeside('golden', 'the recorded extension'), () => {
  test('looks the same after each step, and so do the objects that it has made', () =>
    playExtension(definition, 'extension/local-ext-seed'))
})
