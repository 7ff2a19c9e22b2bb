import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { isAgentUrl, isSessionId, parseProps, readSettings, type Settings } from '../model/settings.ts';
import { languages } from '../texts/translate.ts';
import { useChat, useChatState } from './chat-context.tsx';

/** A modal dialog of the browser's own: focus, Escape and the background are its business. */
export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const { store, t } = useChat();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const settings = useChatState((state) => state.settings);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="settings" aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{t('app.settings')}</h2>
      <SettingsForm
        settings={settings}
        token={store.token}
        onCancel={() => dialog.current?.close()}
        onSave={(changed, token) => {
          store.configure(changed, token);
          dialog.current?.close();
        }}
      />
    </dialog>
  );
}

interface SettingsFormProps {
  readonly settings: Settings;
  readonly token: string;
  readonly onCancel: () => void;
  readonly onSave: (settings: Settings, token: string) => void;
}

function SettingsForm({ settings, token, onCancel, onSave }: SettingsFormProps) {
  const { t } = useChat();
  const [problems, setProblems] = useState<ReadonlySet<string>>(new Set());
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (name: string): string => String(data.get(name) ?? '').trim();
    const forwardedProps = parseProps(text('props'));
    const bad = new Set<string>();
    if (!isAgentUrl(text('url'))) bad.add('url');
    if (!isSessionId(text('session'))) bad.add('session');
    if (forwardedProps === undefined) bad.add('props');
    setProblems(bad);
    if (bad.size > 0 || forwardedProps === undefined) return;
    const kept = {
      ...Object.fromEntries(data),
      sessionId: text('session'),
      url: text('url'),
      forwardedProps,
    };
    onSave(readSettings(JSON.stringify(kept)), text('token'));
  };
  const problem = (name: string, message: string): string | undefined =>
    problems.has(name) ? message : undefined;
  return (
    <form onSubmit={save} noValidate>
      <Field
        label={t('settings.url')}
        hint={t('settings.urlHint')}
        problem={problem('url', t('settings.urlBad'))}
      >
        {(ids) => (
          <input {...ids} name="url" type="url" defaultValue={settings.url} placeholder="https://…" />
        )}
      </Field>
      <Field label={t('settings.transport')}>
        {(ids) => (
          <select {...ids} name="transport" defaultValue={settings.transport}>
            <option value="ws">{t('settings.ws')}</option>
            <option value="sse">{t('settings.sse')}</option>
          </select>
        )}
      </Field>
      <Field label={t('settings.token')} hint={t('settings.tokenHint')}>
        {(ids) => <input {...ids} name="token" type="password" autoComplete="off" defaultValue={token} />}
      </Field>
      <Field
        label={t('settings.session')}
        hint={t('settings.sessionHint')}
        problem={problem('session', t('settings.sessionBad'))}
      >
        {(ids) => <input {...ids} name="session" spellCheck={false} defaultValue={settings.sessionId} />}
      </Field>
      <Field
        label={t('settings.props')}
        hint={t('settings.propsHint')}
        problem={problem('props', t('settings.propsBad'))}
      >
        {(ids) => (
          <textarea {...ids} name="props" rows={4} spellCheck={false} defaultValue={propsText(settings)} />
        )}
      </Field>
      <div className="pair">
        <Field label={t('settings.language')}>
          {(ids) => (
            <select {...ids} name="language" defaultValue={settings.language}>
              <option value="">{t('settings.languageAuto')}</option>
              {Object.entries(languages).map(([tag, name]) => (
                <option key={tag} value={tag} lang={tag}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t('app.theme')}>
          {(ids) => (
            <select {...ids} name="theme" defaultValue={settings.theme}>
              {(['system', 'light', 'dark'] as const).map((theme) => (
                <option key={theme} value={theme}>
                  {t(`settings.theme.${theme}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <footer>
        <button type="button" onClick={onCancel}>
          {t('settings.cancel')}
        </button>
        <button type="submit" className="primary">
          {t('settings.save')}
        </button>
      </footer>
    </form>
  );
}

function propsText({ forwardedProps }: Settings): string {
  return Object.keys(forwardedProps).length === 0 ? '' : JSON.stringify(forwardedProps, undefined, 2);
}

interface FieldIds {
  readonly id: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': boolean;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
  readonly children: (ids: FieldIds) => ReactNode;
}

function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': hintId, 'aria-invalid': problem !== undefined })}
      <p id={hintId} className={problem === undefined ? 'hint' : 'problem'} role={problem && 'alert'}>
        {problem ?? hint}
      </p>
    </div>
  );
}
