import type { Exchange } from '../exchange.ts'

export const namespace = 'exchange'
export const group = 'contract.trellis.gardener.cloud'
export const apiVersion = `${group}/v1`
export const widgets = `/apis/${apiVersion}/namespaces/${namespace}/widgets`
export const gadgets = `/apis/${apiVersion}/gadgets`
export const secrets = `/api/v1/namespaces/${namespace}/secrets`
export const configMaps = `/api/v1/namespaces/${namespace}/configmaps`
export const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`
export const merge = 'application/merge-patch+json'
export const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
export const metadataOnly = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
export const metadataList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

export const widget = (name: string, metadata: object = {}, spec: object = { size: 1 }) => ({
  apiVersion,
  kind: 'Widget',
  metadata: { name, namespace, ...metadata },
  spec,
})

export const post = (title: string, body: object | string, query = '', contentType?: string): Exchange => ({
  title,
  method: 'POST',
  path: widgets + query,
  body,
  ...(contentType === undefined ? {} : { contentType }),
})

export const get = (title: string, path: string, accept?: string): Exchange => ({
  title,
  method: 'GET',
  path,
  ...(accept === undefined ? {} : { accept }),
})

export const patch = (title: string, path: string, body: object | string, contentType = merge): Exchange => ({
  title,
  method: 'PATCH',
  path,
  body,
  contentType,
})

export const put = (title: string, path: string, body: object | string): Exchange => ({
  title,
  method: 'PUT',
  path,
  body,
})

export const remove = (title: string, path: string, body?: object | string): Exchange => ({
  title,
  method: 'DELETE',
  path,
  ...(body === undefined ? {} : { body }),
})

export const secret = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  data: { a: 'Yg==' },
})

export const noUid = '00000000-0000-0000-0000-000000000000'
export const options = (more: object) => ({ kind: 'DeleteOptions', apiVersion: 'v1', ...more })
