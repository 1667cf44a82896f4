import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PlanAction } from '../../../../src/core/plans/plan-event.ts'
import { api } from '../../api/api.ts'

/** Plans of every workspace, the last used first. */
export function usePlans() {
  return useQuery({ queryKey: ['plans'], queryFn: () => api().listPlans({}), retry: 1 })
}

/** One plan, live. */
export function usePlan(id: string) {
  return useQuery({ queryKey: ['plans', id], queryFn: () => api().getPlan({ id }), retry: 1 })
}

/** Asks something of a plan. */
export function usePlanAction(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (order: { readonly action: PlanAction; readonly job?: string; readonly text?: string }) =>
      api().actOnPlan({ id, ...order }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['plans'] }),
  })
}
