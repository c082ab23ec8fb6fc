import type { Connections } from './client-node-program.ts'
import { lateMembers } from './late-members.ts'
import { replaceFile, writeVariant } from './write-variant.ts'

/** Modules that a startup snapshot must not contain, by the package that imports them. */
export const clientNodeLate = {
  undici: ['http', 'http2', 'dns'],
  '@kubernetes/client-node': ['hpagent', 'socks-proxy-agent'],
}

/** Bundles a program whose Kubernetes client is client-node. Returns its file. */
export const clientNodeBundle = (program: string, connections: Connections): Promise<string> =>
  writeVariant(program, `client-node-${connections}`, [
    replaceFile(
      'shared/kubernetes/client.ts',
      `import { clientNodeProgram } from './test/bench/packages/client-node-program.ts'
      export const createKubernetes = clientNodeProgram('${connections}')`,
    ),
    lateMembers(clientNodeLate),
  ])
