import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { Shown } from '../../components/shown.tsx'
import { LoadState } from '../../lists/load-state.tsx'

/** Each setting that counts and the file and line that it comes from; secrets are never shown. */
export function ValuesSection() {
  const query = useQuery({ queryKey: ['setting-origins'], queryFn: () => api().listSettings({}), retry: 1 })
  const settings = query.data?.settings ?? []
  return (
    <section aria-labelledby="values-h">
      <h2 id="values-h" className="title">
        Settings in force
      </h2>
      <p className="q">
        Read when Haft starts: first its own <code>managed.toml</code>, then your <code>settings.toml</code>, which
        counts above it and which no page changes. Keys and passwords are never shown.
      </p>
      <LoadState query={query} what="settings" isEmpty={false} empty="" />
      {settings.length > 0 && (
        <table className="values">
          <thead>
            <tr>
              <th>Setting</th>
              <th>Value</th>
              <th>From</th>
            </tr>
          </thead>
          <tbody>
            {settings.map(({ key, value, from, line }) => (
              <tr key={key}>
                <td className="m b">{key}</td>
                <td className="m">
                  <Shown text={value} isLine />
                </td>
                <td className={from === 'default' ? 'qq' : ''} title={from}>
                  {from === 'default'
                    ? 'default'
                    : `${from.split('/').at(-1)}${line === undefined ? '' : `, line ${line}`}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
