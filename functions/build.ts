import { mkdir, rm, stat } from 'node:fs/promises'
import { bundle } from './bundle.ts'
import { functions } from './registry.ts'

const kubeconfigReader = 'dist/functions/kubeconfig.cjs'

/** Each function and the bridge, under `dist/`, and one file beside them that reads kubeconfigs for all. */
const bundles = [
  ...functions.map(({ name, folder }) => ({
    name,
    entry: `${folder}/main.ts`,
    out: `dist/functions/${name}.cjs`,
  })),
  { name: 'bridge', entry: 'bridge/main.ts', out: 'dist/bridge.cjs' },
  { name: 'kubeconfig', entry: 'shared/kubernetes/access/read-kubeconfig.ts', out: kubeconfigReader },
]

await rm('dist', { recursive: true, force: true })
await mkdir('dist/functions', { recursive: true })
for (const { name, entry, out } of bundles) {
  await bundle({ entry, out, kubeconfigReader })
  const { size } = await stat(out)
  console.log(`${name.padEnd(16)} ${out}  ${Math.round(size / 1024)} KiB`)
}
