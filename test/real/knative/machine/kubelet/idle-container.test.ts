import { expect, test } from 'vitest'
import { isIdle, withPatience, withUsedVolumes } from './idle-container.ts'

const node = {
  othersReady: true,
  image: (name: string) => (name === 'known' ? { command: ['known'] } : undefined),
}

test('only containers of unknown images are idle, and only where others are ready', () => {
  expect(isIdle(node, { name: 'a', image: 'other' })).toBe(true)
  expect(isIdle(node, { name: 'a', image: 'known' })).toBe(false)
  expect(isIdle({ ...node, othersReady: false }, { name: 'a', image: 'other' })).toBe(false)
})

test('a Pod has the volumes of the containers that run', () => {
  const mounting = (name: string) => [{ name, mountPath: `/${name}` }]
  const pod = withUsedVolumes(node, {
    metadata: { name: 'one', namespace: 'two', uid: '3' },
    spec: {
      containers: [
        { name: 'idle', image: 'other', volumeMounts: mounting('device') },
        { name: 'runs', image: 'known', volumeMounts: mounting('config') },
      ],
      volumes: [
        { name: 'device', hostPath: { path: '/dev/net/tun' } },
        { name: 'config', configMap: { name: 'config' } },
      ],
    },
  })
  expect(pod.spec.volumes?.map(({ name }) => name)).toEqual(['config'])
})

test('only programs of others live without a liveness probe', () => {
  const container = { name: 'a', image: 'known', livenessProbe: { tcpSocket: { port: 1 } } }
  expect(withPatience(node, container)).toBe(container)
  const others = { image: () => ({ command: ['known'], replaces: 'program' }) as const }
  expect(withPatience(others, container)).toEqual({ name: 'a', image: 'known' })
})
