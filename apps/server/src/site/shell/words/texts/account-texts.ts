/** The account and its credentials, and controls of forms. */
export const accountTexts = {
  sessions: '会话',
  passkeys: '通行密钥',
  'codes sent by e-mail that confirm an action': '确认操作的邮件验证码',
  'second factor and recovery codes': '两步验证和恢复码',
  'known devices and address blocks': '已知设备和地址段',
  'exchange codes': '程序登录码',
  'e-mail changes that wait for confirmation': '待确认的邮箱更改',
  'linked sign-in providers': '已关联的登录提供方',
  'open invitations': '待接受的邀请',
  'platform tokens': '平台令牌',
  shares: '共享',
  links: '链接',
  '{browser} on {system}': '{system} 上的 {browser}',
  'all your permissions': '您的全部权限',
  'read only': '只读',
  'named permissions only': '仅限指定权限',
  'No earlier activity.': '没有更早的活动。',
  'Sign-ins and changes of your account. If you don’t recognize an entry, {link}. This signs you out everywhere else.':
    '您的账户的登录和更改记录。如有不认识的记录，请{link}，其他所有会话将退出登录。',
  'change your password': '更改密码',
  'in a year': '一年后',
  'You have no such API key. It may already be revoked.': '没有此 API 密钥，可能已被撤销。',
  'The API key {strong} is active.': 'API 密钥{strong}已生效。',
  'Create key': '创建密钥',
  'Create API key': '创建 API 密钥',
  'API keys': 'API 密钥',
  'Programs send an API key in the {code} header. A key has your permissions unless you limit them. It cannot create other API keys.':
    '程序在 {code} 请求头中发送 API 密钥。除非加以限制，密钥拥有您的权限。它不能创建其他 API 密钥。',
  'Active API keys.': '有效的 API 密钥。',
  'You have no API keys.': '您没有 API 密钥。',
  'Revoke {name}': '撤销“{name}”',
  'To create a key with selected permissions, choose an organization:':
    '要创建只有部分权限的密钥，请选择组织：',
  'For example, the program that uses the key.': '例如使用此密钥的程序。',
  'All of my permissions': '我的全部权限',
  'Read only': '只读',
  'Limit to organizations': '仅限指定的组织',
  'Select none to include all your organizations, now and in the future.':
    '不选则包括您的所有组织，以后加入的也包括在内。',
  'Download my data': '下载我的数据',
  'Your data': '您的数据',
  'Download your data': '下载您的数据',
  'Download a JSON file with the data we store about you: profile and picture, organizations and groups, sessions, names of API keys and passkeys, e-mail subscriptions, the tokens, agents and files that you created, and your activity. The file contains no secrets and no file contents.':
    '下载一个 JSON 文件，其中包含我们存储的关于您的数据：个人资料和头像、组织和群组、会话、API 密钥和通行密钥的名称、邮件订阅、您创建的令牌、智能体和文件，以及您的活动。文件不含任何密钥和文件内容。',
  'Delete account': '删除账户',
  'Your account is deleted 30 days after you request it. Signing in before then cancels the deletion.':
    '账户将在您提出请求 30 天后删除。在此之前登录即可取消删除。',
  'Delete account {username}': '删除账户 {username}',
  'Delete account?': '删除账户？',
  'You are signed out everywhere. Your API keys, tokens, passkeys, linked sign-in providers, shares and links stop working immediately. After {deletionGraceDays} days your profile and credentials are deleted. {strong} If you have no password, set one with a reset link first.':
    '您将在所有设备上退出登录。您的 API 密钥、令牌、通行密钥、已关联的登录提供方、共享和链接立即停止工作。{deletionGraceDays} 天后，您的个人资料和凭据将被删除。{strong}如果没有密码，请先通过重置链接设置一个。',
  'To cancel the deletion, sign in with your password before then.': '要取消删除，请在此之前用密码登录。',
  'You are the only member of these organizations. They are deleted with your account:':
    '您是以下组织的唯一成员，它们会随账户一同删除：',
  'You are the only owner of these organizations. Make another member an owner first:':
    '您是以下组织的唯一所有者。请先将另一名成员设为所有者：',
  'choose a new owner': '选择新的所有者',
  'Your account will be deleted': '您的账户将被删除',
  'You are signed out everywhere. We’ll send you an e-mail.':
    '您已在所有设备上退出登录。我们会向您发送邮件。',
  'It is deleted on {dueAt}. To cancel the deletion, {link} before then.':
    '账户将于 {dueAt} 删除。要取消删除，请在此之前{link}。',
  'We sent an e-mail to {strong}. To change the address, open the link within 24 hours in a browser where you are signed in. Until then you sign in with {email}.':
    '我们已向{strong}发送邮件。要更改邮箱，请在 24 小时内、在已登录的浏览器中打开链接。在此之前仍使用 {email} 登录。',
  'New e-mail address': '新的电子邮箱',
  'Your current address is {current}. We’ll send a confirmation link to the new address. After the change, {current2} receives a link that can undo it for 7 days.':
    '您当前的邮箱是 {current}。我们会向新邮箱发送确认链接。更改后，{current2} 会收到一个可在 7 天内撤销更改的链接。',
  'Confirm your new address': '确认新的邮箱',
  'Current address': '当前邮箱',
  'New address': '新邮箱',
  'You will sign in with the new address, and we’ll send e-mail to it.':
    '您将使用新邮箱登录，我们也会向它发送邮件。',
  'Change address': '更改邮箱',
  'The link is valid only for the account that requested it. If you are signed in to that account, {link}. Only the newest link is valid.':
    '此链接仅对请求它的账户有效。如果您已登录该账户，请{link}。只有最新的链接有效。',
  'request a new link': '请求新链接',
  'The address was not changed': '邮箱未更改',
  'Another account uses this address now. {link}.': '已有其他账户使用此邮箱。{link}。',
  'Choose another address': '选择其他邮箱',
  'Send a code to {email}': '向 {email} 发送验证码',
  'We sent a code at {sentAt}. It expires after 10 minutes.': '验证码已于 {sentAt} 发送，10 分钟后失效。',
  'Code from the e-mail': '邮件中的验证码',
  'Your account has no password. We’ll send a code by e-mail to confirm your identity.':
    '您的账户没有密码。我们会通过邮件发送验证码以确认您的身份。',
  'Confirm with a passkey instead': '改用通行密钥确认',
  'API key for {org}': '{org} 的 API 密钥',
  'The key has the permissions you select, as long as you have them yourself. It has no access to other organizations.':
    '密钥拥有您选择的权限，前提是您自己拥有这些权限。它不能访问其他组织。',
  'Name saved.': '名称已保存。',
  'Shown to other members and in invitations.': '显示给其他成员，并用于邀请。',
  Workspaces: '工作区',
  '{workspaceName}, as {role}': '{workspaceName}，角色：{role}',
  'Save name': '保存名称',
  Picture: '头像',
  'New picture': '新头像',
  'PNG, JPEG or WebP, at most {side} × {side} pixels and {size} KB. Visible to members of your organizations. Location and date metadata are removed.':
    'PNG、JPEG 或 WebP，最大 {side} × {side} 像素、{size} KB。您所在组织的成员可以看到。位置和日期元数据会被移除。',
  'Remove picture': '移除头像',
  'Save picture': '保存头像',
  'Passkey added. We’ll send you an e-mail.': '通行密钥已添加。我们会向您发送邮件。',
  'You have no such passkey. It may already be removed.': '没有此通行密钥，可能已被移除。',
  'Add passkey': '添加通行密钥',
  Passkeys: '通行密钥',
  'A passkey is stored on your phone, computer or security key. It signs you in without a password or code and protects against phishing.':
    '通行密钥存储在您的手机、计算机或安全密钥中。登录时无需密码或验证码，还能防范钓鱼。',
  'Add a passkey': '添加通行密钥',
  'Create passkey': '创建通行密钥',
  'Your device asks for your fingerprint, face or PIN and creates the passkey. The request expires after 5 minutes.':
    '设备会要求验证指纹、面容或 PIN，然后创建通行密钥。请求 5 分钟后失效。',
  'Each passkey can sign in to your account.': '每个通行密钥都可以登录您的账户。',
  Added: '添加时间',
  Remove: '移除',
  'You have no passkeys.': '您没有通行密钥。',
  'For example, the device that stores the passkey.': '例如存储此通行密钥的设备。',
  'Passwordless sign-in': '无密码登录',
  'You can remove your password and one-time codes and sign in only with passkeys.':
    '您可以移除密码和一次性验证码，只用通行密钥登录。',
  'You can remove your password and sign in only with passkeys.': '您可以移除密码，只用通行密钥登录。',
  'Remove password': '移除密码',
  'You will sign in only with passkeys. One-time codes are turned off, and all other sessions are signed out. If you lose all your devices, you can set a new password with a reset link.':
    '您将只用通行密钥登录。一次性验证码会停用，其他所有会话会退出登录。如果丢失所有设备，可以通过重置链接设置新密码。',
  'Wrong password': '密码错误',
  'Enter your current password.': '请填写当前密码。',
  'This password is wrong': '密码不正确',
  'Password changed. All other sessions are signed out. We’ll send you an e-mail.':
    '密码已更改。其他所有会话已退出登录。我们会向您发送邮件。',
  'Changing your password signs you out of all other sessions. API keys keep working.':
    '更改密码会使其他所有会话退出登录。API 密钥继续有效。',
  'Change password': '更改密码',
  'Forgot your password? Sign out, then request a reset link on the sign-in page.':
    '忘记密码？请退出登录，然后在登录页面请求重置链接。',
  'Your account has no password. You sign in with a passkey or a sign-in provider. To set a password, request a link to {email}. Setting a password signs you out of all sessions, including this one.':
    '您的账户没有密码，您使用通行密钥或登录提供方登录。要设置密码，请向 {email} 请求链接。设置密码会使所有会话退出登录，包括当前会话。',
  'Choose a file': '请选择文件',
  'Picture saved.': '头像已保存。',
  'Picture removed. Your initials are shown instead.': '头像已移除，改为显示姓名首字母。',
  Unlink: '取消关联',
  'Sign-in provider': '登录提供方',
  'Link {name} identity': '关联 {name} 身份',
  'You can sign in to this account with any of these {name} identities. Unlinking an identity does not sign out existing sessions.':
    '您可以用以下任一 {name} 身份登录此账户。取消关联不会使现有会话退出登录。',
  'Linked identities.': '已关联的身份。',
  Provider: '提供方',
  Identity: '身份',
  'No linked identities.': '没有已关联的身份。',
  'Link an identity': '关联身份',
  'Sign in at {name} with the identity that you want to link.': '在 {name} 用要关联的身份登录。',
  'Continue to {name}': '前往 {name}',
  Continue: '继续',
  'After linking, the {name} identity that you choose can sign in to this account without its password.':
    '关联后，您选择的 {name} 身份无需密码即可登录此账户。',
  'You have no such identity. It may already be unlinked.': '没有此身份，可能已取消关联。',
  'Unlink an identity': '取消关联身份',
  'The {name} identity {code} can no longer sign in to this account.':
    '{name} 身份 {code} 将不能再登录此账户。',
  'One-time codes at the provider are on. An e-mail confirms it.':
    '通过提供方登录时的一次性验证码已启用，我们会发送邮件确认。',
  'One-time codes at the provider are off. An e-mail confirms it.':
    '通过提供方登录时的一次性验证码已停用，我们会发送邮件确认。',
  'One-time codes are off. We’ll send you an e-mail.': '一次性验证码已停用。我们会向您发送邮件。',
  'Your account has no password. One-time codes apply only to sign-in with a password.':
    '您的账户没有密码。一次性验证码仅用于密码登录。',
  'The 6-digit code in your authenticator app.': '验证器应用中的 6 位数字。',
  'With two-factor authentication, signing in with your password also requires a code from an app on your phone. This protects your account if your password is stolen. API keys and signed-in programs keep working.':
    '启用两步验证后，用密码登录还需要手机应用中的验证码。即使密码被盗，账户仍受保护。API 密钥和已登录的程序继续有效。',
  'Turn on two-factor authentication': '启用两步验证',
  'Scan this QR code with an authenticator app, then enter the code from the app.':
    '用验证器应用扫描此二维码，然后填写应用中的验证码。',
  'Or open {link} on the device with the app, or enter this secret in the app:':
    '或在装有该应用的设备上打开{link}，或在应用中输入此密钥：',
  'this link': '此链接',
  'Turn on': '启用',
  'Don’t require codes after sign-in at {name}': '通过 {name} 登录后不要求验证码',
  'Require codes after sign-in at {name}': '通过 {name} 登录后要求验证码',
  'No recovery codes are left.': '没有剩余的恢复码。',
  'One recovery code is left.': '还剩 1 个恢复码。',
  '{count} recovery codes are left.': '还剩 {count} 个恢复码。',
  'Signing in with your password requires a one-time code.': '用密码登录时需要一次性验证码。',
  'If you lose your phone, sign in with a recovery code. This turns one-time codes off. Each of the following actions requires your password and a code.':
    '如果丢失手机，请用恢复码登录，这会停用一次性验证码。以下操作都需要密码和验证码。',
  'Generate new recovery codes': '生成新的恢复码',
  'Turn off one-time codes': '停用一次性验证码',
  'Your recovery codes': '您的恢复码',
  'One-time codes are on. We’ll send you an e-mail.': '一次性验证码已启用。我们会向您发送邮件。',
  'If you lose your phone, sign in with one of these codes instead. Each code works once. Earlier recovery codes no longer work.':
    '如果丢失手机，可改用以下恢复码登录。每个恢复码只能使用一次。以前的恢复码不再有效。',
  'Recovery codes': '恢复码',
  'I have saved these codes': '我已保存恢复码',
  'All access is revoked except this session. We’ll send you an e-mail.':
    '除当前会话外，所有访问都已撤销。我们会向您发送邮件。',
  'Every way into your account. Revoke entries that you don’t recognize.':
    '可进入您账户的所有方式。请撤销您不认识的条目。',
  'Revoke all access': '撤销所有访问',
  'Sign-in': '登录方式',
  'Changing it signs you out everywhere else.': '更改后，其他所有会话将退出登录。',
  'Your account has no password.': '您的账户没有密码。',
  'Sign in without a password or code.': '无需密码或验证码即可登录。',
  'Manage passkeys': '管理通行密钥',
  'A code from an app, asked for after the password.': '输入密码后，还需要应用中的验证码。',
  On: '已启用',
  Off: '未启用',
  Manage: '管理',
  'For your own programs.': '供您自己的程序使用。',
  'Manage API keys': '管理 API 密钥',
  'Identities that can sign in to this account.': '可登录此账户的身份。',
  'Manage identities': '管理身份',
  'this browser': '当前浏览器',
  'Change {name}': '更改 {name}',
  'Revoke all access?': '撤销所有访问？',
  'All of these are revoked within a second. This session and one-time codes remain active.':
    '以上所有访问将在一秒内撤销。当前会话和一次性验证码保持有效。',
  'No such session. It may already be revoked.': '没有此会话，可能已退出。',
  'This {message}.': '此项{message}。',
  'Line {line} {message}.': '第 {line} 行{message}。',
  'At least {passwordCharsMin} characters. Use three or four unrelated words.':
    '至少 {passwordCharsMin} 个字符。可使用三四个不相关的词。',
  'The 6-digit code in your authenticator app, or a recovery code.':
    '验证器应用中的 6 位数字，或一个恢复码。',
  'Current password': '当前密码',
  'Try again in {time}.': '请在 {time}后重试。',
  '{count} seconds': '{count} 秒',
  '{count} minutes': '{count} 分钟',
  'Copy it now and store it securely. It will not be shown again.': '请立即复制并妥善保存，之后不再显示。',
  Copy: '复制',
  'in a day': '一天后',
  'in {days} days': '{days} 天后',
};
