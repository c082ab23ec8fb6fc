import { expect, test } from 'vitest'
import { retryCommand } from './shoot-of.ts'

test('the command that retries a shoot has names only, and no flags or other commands of a recording', () => {
  expect(retryCommand({ name: 'garden-dev/rose' })).toContain('-n garden-dev annotate shoot rose ')
  for (const shoot of ['--server=https://evil.example', '-A', 'rose;id', '$(id)', ''])
    expect(retryCommand({ name: `garden-dev/${shoot}` })).toBeUndefined()
})
