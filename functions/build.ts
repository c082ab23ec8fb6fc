import { mkdir, rm, stat } from 'node:fs/promises'
import { bundle, programOf, webhookProgram } from './bundle.ts'
import { findFunctions } from './find-functions.ts'
import { findWebhooks } from './find-webhooks.ts'

const kubeconfigReader = 'dist/functions/kubeconfig.cjs'

/** Each function, the bridge and the process of the webhooks, under `dist/`, and one file beside them that reads kubeconfigs for all. */
const bundles = [
  ...(await findFunctions()).map(({ name, file }) => ({
    name,
    source: programOf(file),
    out: `dist/functions/${name}.cjs`,
  })),
  { name: 'bridge', source: { entryPoints: ['bridge/main.ts'] }, out: 'dist/bridge.cjs' },
  {
    name: 'webhook',
    source: webhookProgram((await findWebhooks()).map(({ file }) => file)),
    out: 'dist/webhook.cjs',
  },
  {
    name: 'kubeconfig',
    source: { entryPoints: ['shared/kubernetes/access/read-kubeconfig.ts'] },
    out: kubeconfigReader,
  },
]

await rm('dist', { recursive: true, force: true })
await mkdir('dist/functions', { recursive: true })
for (const { name, source, out } of bundles) {
  await bundle({ source, out, kubeconfigReader })
  const { size } = await stat(out)
  console.log(`${name.padEnd(16)} ${out}  ${Math.round(size / 1024)} KiB`)
}
