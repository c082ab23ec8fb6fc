import { expect, test } from 'vitest'
import { importsOfLibrary } from './imports-of-library.ts'

test('imports from rooms become imports from the entries of the library, one for each', () => {
  const source = [
    "import assert from 'node:assert/strict'",
    "import { test } from 'vitest'",
    "import { CodedError } from '../../../shared/contract/errors.ts'",
    "import type { DNSRecord } from '../../../shared/contract/objects.ts'",
    "import { ensureManagedResource } from '../../../shared/resources/resources.ts'",
    "import { cloud } from './cloud.ts'",
    '',
    'const code = 1',
    '',
  ].join('\n')
  expect(importsOfLibrary(source)).toBe(
    [
      "import { test } from 'node:test'",
      "import { CodedError, type DNSRecord } from '@trellis-gardener/trellis'",
      "import { ensureManagedResource } from '@trellis-gardener/trellis/resources'",
      "import { cloud } from './cloud.ts'",
      "import assert from 'node:assert/strict'",
      '',
      'const code = 1',
      '',
    ].join('\n'),
  )
})

test('a template cannot use names that the library does not export', () => {
  expect(() => importsOfLibrary("import { a } from '../../../bridge/bridge.ts'\n")).toThrow(
    'the library does not export ../../../bridge/bridge.ts',
  )
})
