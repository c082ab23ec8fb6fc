import { expect, test } from 'vitest'
import { importsOfLibrary } from './imports-of-library.ts'

test('what the rooms export is imported from the entries of the library, once from each', () => {
  const source = [
    "import assert from 'node:assert/strict'",
    "import { test } from 'vitest'",
    "import { CodedError } from '../../../shared/contract/errors.ts'",
    "import type { DNSRecord } from '../../../shared/contract/objects.ts'",
    "import { keepManagedResource } from '../../../shared/resources/resources.ts'",
    "import { cloud } from './cloud.ts'",
    '',
    'const code = 1',
    '',
  ].join('\n')
  expect(importsOfLibrary(source)).toBe(
    [
      "import { test } from 'node:test'",
      "import { CodedError, type DNSRecord } from '@trellis-gardener/trellis'",
      "import { keepManagedResource } from '@trellis-gardener/trellis/resources'",
      "import { cloud } from './cloud.ts'",
      "import assert from 'node:assert/strict'",
      '',
      'const code = 1',
      '',
    ].join('\n'),
  )
})

test('what the library does not export cannot be in a template', () => {
  expect(() => importsOfLibrary("import { a } from '../../../bridge/bridge.ts'\n")).toThrow(
    'the library does not export what is in ../../../bridge/bridge.ts',
  )
})
