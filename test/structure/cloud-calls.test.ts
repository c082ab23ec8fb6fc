import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositorySources, repositoryRoot as root } from './repository-files.ts'

/** Modules that open connections. Address checks of `net` open none. */
const opening =
  /\bfrom '(?:node:)?(?:https?|http2|tls|dgram|dns|dns\/promises|undici)'|import \{(?![^}]*\bisIP)[^}]*\} from 'node:net'|\bfetch\(/

test('code for AWS reaches its cloud only with the AWS SDK', () => {
  const product = repositorySources().filter(
    file => /^(?:functions|terraform-free-infra)\/aws\//.test(file) && !/\.test\.ts$|\/testing\//.test(file),
  )
  expect(product.length).toBeGreaterThan(100)
  const others = product.filter(file => opening.test(readFileSync(join(root, file), 'utf8')))
  expect(others).toEqual([])
})

test('code for OpenStack opens connections only in the file that all clouds share', () => {
  const product = repositorySources().filter(
    file =>
      /^(?:functions\/openstack|terraform-free-infra\/(?:openstack|cloud))\//.test(file) &&
      !/\.test\.ts$|\/testing\//.test(file),
  )
  expect(product.length).toBeGreaterThan(50)
  expect(product.filter(file => opening.test(readFileSync(join(root, file), 'utf8')))).toEqual([
    'terraform-free-infra/cloud/http-sender.ts',
  ])
})
