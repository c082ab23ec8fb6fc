import type { ApiServer, EtcdBackup } from '../kubernetes/kubernetes.ts'

const definitions = 'customresourcedefinitions.apiextensions.k8s.io'

/** Returns a new server to the objects of another one. It retains its own definitions, which are the same. */
export const restoreServer = (server: ApiServer, backup: EtcdBackup): void => {
  const own = server.backUp().objects.get(definitions) ?? new Map()
  server.restore({ ...backup, objects: new Map([...backup.objects, [definitions, own]]) })
}
