import { describe, test } from 'vitest'
import { playExtension } from '../../testing/play-extension.ts'
import { definition } from './function.ts'

describe('the recorded extension', () => {
  test('and the objects that it created are the same after each step', () =>
    playExtension(definition, 'extension/local-ext-shoot-after-worker'))
})
