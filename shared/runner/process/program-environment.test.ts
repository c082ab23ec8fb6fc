import { expect, test } from 'vitest'
import { programEnvironment } from './program-environment.ts'

test('a program gets the ways to its API servers and cloud, its own variables, and no setting or token of the bridge', () => {
  const own = {
    PATH: '/bin',
    KUBERNETES_SERVICE_HOST: '10.0.0.1',
    KUBERNETES_SERVICE_PORT: '443',
    HTTPS_PROXY: 'http://proxy',
    no_proxy: 'cluster.local',
    AWS_ENDPOINT_URL_ROUTE_53: 'http://127.0.0.1:1',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    NODE_OPTIONS: '--max-old-space-size=64',
    TRELLIS_SEED: 'eu-1',
    TRELLIS_PROGRAMS: '[]',
    AWS_SECRET_ACCESS_KEY: 'secret',
    K_SINK: 'http://broker',
    TOKEN: 'secret',
  }
  const env = { TRELLIS_LOG_LEVEL: 'debug', NODE_OPTIONS: '--max-old-space-size=192', TRELLIS_PORT: '8080' }
  const reportTo = 'http://127.0.0.1:8080/reports'
  expect(programEnvironment({ env }, own, { reportTo, reportToken: 'a.b', kubeconfig: '/config' })).toEqual({
    PATH: '/bin',
    KUBERNETES_SERVICE_HOST: '10.0.0.1',
    KUBERNETES_SERVICE_PORT: '443',
    HTTPS_PROXY: 'http://proxy',
    no_proxy: 'cluster.local',
    AWS_ENDPOINT_URL_ROUTE_53: 'http://127.0.0.1:1',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    KUBECONFIG: '/config',
    TRELLIS_REPORT_TO: reportTo,
    TRELLIS_REPORT_TOKEN: 'a.b',
    TRELLIS_LOG_LEVEL: 'debug',
    NODE_OPTIONS: '--max-old-space-size=192',
    TRELLIS_ADDRESS: '127.0.0.1',
    TRELLIS_PORT: '0',
  })
})
