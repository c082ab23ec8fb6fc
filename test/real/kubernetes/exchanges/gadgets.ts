import type { Exchange } from '../exchange.ts'
import { apiVersion, gadgets, get, namespace, patch, remove } from './requests.ts'

/** A kind without namespaces and without a status subresource. */
export const gadgetExchanges: readonly Exchange[] = [
  {
    title: 'a Gadget',
    method: 'POST',
    path: gadgets,
    body: { apiVersion, kind: 'Gadget', metadata: { name: 'g' }, any: { thing: 1 }, status: { a: 1 } },
  },
  patch('of a Gadget without a status subresource', `${gadgets}/g`, { status: { b: 2 } }),
  patch('of its metadata alone', `${gadgets}/g`, { metadata: { labels: { a: 'b' } } }),
  patch('of its status subresource', `${gadgets}/g/status`, { status: {} }),
  {
    title: 'a Gadget in a namespace',
    method: 'POST',
    path: gadgets,
    body: { apiVersion, kind: 'Gadget', metadata: { name: 'h', namespace } },
  },
  get('a namespaced path of a cluster resource', `/apis/${apiVersion}/namespaces/${namespace}/gadgets/g`),
  remove('of a Gadget', `${gadgets}/g`),
]
