import { describe, expect, expectTypeOf, test } from 'vitest'
import { bed, type FakeOutcome, fakeGraph, type Ours, plot } from '../testing/fake-provider.ts'
import type { Ref } from './graph.ts'
import { type GraphBuilder, graphOf } from './graph.ts'

const attributes = { climate: 'mild' }

describe('a graph', () => {
  test('puts each resource after its needs', () => {
    const { graph } = fakeGraph({ climate: 'mild', beds: { a: 'clay', b: 'clay' }, paths: [['a', 'b']] })
    expect(graph.resources.map(({ label }) => label)).toEqual(['plot', 'bed a', 'bed b', 'path a-b'])
  })

  test('refuses a dependency cycle, and names it', () => {
    const graph = graphOf<Ours>()
    graph.add(plot, 'one', { attributes, after: ['plot two'] })
    graph.add(plot, 'two', { attributes, after: ['plot one'] })
    expect(() => graph.build()).toThrow('dependency cycle: plot one needs plot two needs plot one')
  })

  test('refuses a need that does not exist', () => {
    const other = graphOf<Ours>().add(plot, 'elsewhere', { attributes })
    const graph = graphOf<Ours>()
    graph.add(bed, 'a', { needs: { plot: other }, attributes: { plot: 'plot-1', soil: 'clay' } })
    expect(() => graph.build()).toThrow('bed a needs plot elsewhere, which is not in the graph')
  })

  test('treats a reference in an attribute as a need', () => {
    const other = graphOf<Ours>().add(plot, 'elsewhere', { attributes })
    const graph = graphOf<Ours>()
    graph.add(plot, '', { attributes: { climate: other.get(({ id }) => id) } })
    expect(() => graph.build()).toThrow('plot needs plot elsewhere, which is not in the graph')
  })

  test('refuses a need for an unwanted resource, unless the dependent is unwanted too', () => {
    const built = (when: boolean) => {
      const graph = graphOf<Ours>()
      const ground = graph.add(plot, '', { attributes, when: false })
      graph.add(bed, 'a', { needs: { plot: ground }, attributes: { plot: 'plot-1', soil: 'clay' }, when })
      return graph.build()
    }
    expect(() => built(true)).toThrow('bed a needs plot, which is not desired')
    expect(built(false).resources).toHaveLength(2)
  })

  test('orders a resource after an unwanted one, if it does not need it', () => {
    const graph = graphOf<Ours>()
    graph.add(plot, 'one', { attributes, after: ['plot two'] })
    graph.add(plot, 'two', { attributes, when: false })
    expect(graph.build().resources.map(({ label }) => label)).toEqual(['plot two', 'plot one'])
  })

  test('does not compile if a need or an attribute has the wrong outcome, or a need is missing', () => {
    const built = (
      graph: GraphBuilder<Ours>,
      ground: Ref<FakeOutcome>,
      other: Ref<{ readonly size: number }>,
    ) => {
      const [soil, sized] = ['clay', ground.get(({ id }) => id.length)]
      // @ts-expect-error a bed needs something with an id
      graph.add(bed, 'a', { needs: { plot: other }, attributes: { plot: 'plot-1', soil } })
      // @ts-expect-error the length of an id is no id
      graph.add(bed, 'b', { needs: { plot: ground }, attributes: { plot: sized, soil } })
      // @ts-expect-error a bed needs a plot
      graph.add(bed, 'c', { attributes: { plot: 'plot-1', soil } })
      // @ts-expect-error a bed needs soil
      graph.add(bed, 'd', { needs: { plot: ground }, attributes: { plot: 'plot-1' } })
    }
    expectTypeOf(built).returns.toBeVoid()
  })

  test('refuses two resources with one label and two types with one name', () => {
    const graph = graphOf<Ours>()
    graph.add(plot, '', { attributes })
    expect(() => graph.add(plot, '', { attributes })).toThrow('two resources have the name plot')
    expect(() => graph.sweep({ ...plot })).toThrow('two types have the name plot')
  })
})
