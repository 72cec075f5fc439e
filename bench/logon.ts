/** Environment of a program whose administrator a bench logs on as. */
export const benchAdministrator = {
  GATEHOUSE_ADMIN_PASSWORD: 'only for this bench',
  GATEHOUSE_ADMIN_API_KEY: 'ghk_bench_bench_bench_bench_bench',
}

/** The headers of the administrator's requests. */
export async function logOn(url: string): Promise<Record<string, string>> {
  const response = await fetch(`${url}/logon`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-xaas-api-key': benchAdministrator.GATEHOUSE_ADMIN_API_KEY,
    },
    body: JSON.stringify({ username: 'admin', password: benchAdministrator.GATEHOUSE_ADMIN_PASSWORD }),
  })
  const answer = (await response.json()) as Record<string, unknown>
  return { 'content-type': 'application/json', 'x-xaas-auth-token': String(answer['x-xaas-auth-token']) }
}
