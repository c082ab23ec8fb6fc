import { expect, test } from 'vitest'
import { registryProblem } from './registry-problem.ts'

test.each([
  ['unauthorized', 'docker login registry.example.org'],
  ['request failed: unauthorized [http 403]: {"errors":[]}', 'these credentials may not write there'],
  ['request failed: not found [http 404]: {}', 'Create it first'],
  ['request failed: unexpected http status code: Service Unavailable [http 503]: {}', 'Push again later'],
  ['Head "http://…": dial tcp 192.0.2.1:443: connect: connection refused', 'cannot be reached'],
  ['http: server gave HTTP response to HTTPS client', '--plain-http'],
])('a registry error "%s" gives a line with advice', (reason, todo) => {
  const output = `exit code 1\ntime=2026-01-01 level=WARN msg="Failed [http 418]"\nfailed to send blob post: ${reason}\n`
  const line = registryProblem('registry.example.org/a/bridge:1', output)
  expect(line).toMatch(/^registry\.example\.org\/a\/bridge:1: /)
  expect(line).toContain(todo)
  expect(line).not.toContain('\n')
})
