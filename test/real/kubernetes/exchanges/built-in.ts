import type { Exchange } from '../exchange.ts'
import { configMaps, get, leases, namespace, patch, table } from './requests.ts'

/** Other built-in kinds: Namespaces, ConfigMaps, Leases. */
export const builtIn: readonly Exchange[] = [
  {
    title: 'a Namespace',
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'exchange-two' } },
  },
  {
    title: 'a Namespace with a bad name',
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'Exchange.two' } },
  },
  get('a Namespace', '/api/v1/namespaces/exchange-two'),
  get('a Namespace as a table', '/api/v1/namespaces/exchange-two', table),
  {
    title: 'a ConfigMap',
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/configmaps`,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } },
  },
  {
    title: 'a ConfigMap whose data are no texts',
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/configmaps`,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c2' }, data: { a: 1 } },
  },
  {
    title: 'a Lease',
    method: 'POST',
    path: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
    body: {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { holderIdentity: 'x', leaseDurationSeconds: 15 },
    },
  },
  {
    title: 'a Lease without a duration',
    method: 'POST',
    path: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
    body: {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l2' },
      spec: { holderIdentity: 'x', leaseDurationSeconds: 0 },
    },
  },
  {
    title: 'a ConfigMap with bad keys',
    method: 'POST',
    path: configMaps,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c3' }, data: { 'a/b': '' } },
  },
  {
    title: 'a ConfigMap with bad binary keys',
    method: 'POST',
    path: configMaps,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c3' }, binaryData: { 'a/b': 'Yg==' } },
  },
  {
    title: 'a ConfigMap with a key in both',
    method: 'POST',
    path: configMaps,
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c3' },
      data: { a: 'b' },
      binaryData: { a: 'Yg==' },
    },
  },
  patch('of the duration of a Lease', `${leases}/l`, { spec: { leaseDurationSeconds: -1 } }),
  patch('of the transitions of a Lease', `${leases}/l`, { spec: { leaseTransitions: -1 } }),
  patch('of the holder of a Lease', `${leases}/l`, { spec: { holderIdentity: '' } }),
]
