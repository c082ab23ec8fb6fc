import { expect, test } from 'vitest'
import { proxyEnvironment } from './proxy-environment.ts'

const thisMachine = 'localhost,127.0.0.0-127.255.255.255,[::1],::1'

test('an environment without proxies has no proxies', () => {
  expect(proxyEnvironment({ PATH: '/bin' })).toEqual({
    http_proxy: '',
    https_proxy: '',
    no_proxy: thisMachine,
  })
})

test('lower-case names override upper-case names', () => {
  const { https_proxy } = proxyEnvironment({ HTTPS_PROXY: 'http://upper:1', https_proxy: 'http://lower:1' })
  expect(https_proxy).toBe('http://lower:1')
})

test('a proxy without a scheme is http', () => {
  expect(proxyEnvironment({ HTTPS_PROXY: 'proxy.corp:3128' }).https_proxy).toBe('http://proxy.corp:3128')
})

test('a name in NO_PROXY includes its subdomains', () => {
  expect(proxyEnvironment({ NO_PROXY: 'amazonaws.com, .corp,*.lan *' }).no_proxy).toBe(
    `${thisMachine},amazonaws.com,.amazonaws.com,.corp,*.lan,*`,
  )
})

test.each(['socks5://user:planted@proxy:1080', 'http://user:planted@proxy:port'])(
  'an invalid proxy is refused, and its password is not shown',
  value => {
    const read = () => proxyEnvironment({ HTTPS_PROXY: value })
    expect(read).toThrow(
      'HTTPS_PROXY is not the URL of a proxy: expected http://HOST:PORT or https://HOST:PORT',
    )
    expect(read).not.toThrow('planted')
  },
)
