import { describe, test } from 'vitest'
import { isBeside, withBeside } from '../../../test/beside/beside.ts'
import { playExtension } from '../../testing/play-extension.ts'
import { definition } from './function.ts'

describe.skipIf(!isBeside('golden'))(withBeside('golden', 'the recorded extension'), () => {
  test('and the objects that it created are the same after each step', () =>
    playExtension(definition, 'extension/local-ext-shoot'))
})
