/* System calls without Python in between: what a C extension of a hostile project can do. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <errno.h>
#include <unistd.h>
#include <sys/syscall.h>

/* call(number, *arguments): each an int, or bytes whose address is handed over; -errno where it failed. */
static PyObject *call(PyObject *module, PyObject *arguments) {
    long words[7] = {0};
    Py_ssize_t count = PyTuple_GET_SIZE(arguments);
    for (Py_ssize_t i = 0; i < count && i < 7; i++) {
        PyObject *one = PyTuple_GET_ITEM(arguments, i);
        if (PyBytes_Check(one))
            words[i] = (long)PyBytes_AS_STRING(one);
        else if (PyByteArray_Check(one))
            words[i] = (long)PyByteArray_AS_STRING(one);
        else
            words[i] = PyLong_AsLong(one);
    }
    if (PyErr_Occurred())
        return NULL;
    long result;
    Py_BEGIN_ALLOW_THREADS
    result = syscall(words[0], words[1], words[2], words[3], words[4], words[5], words[6]);
    if (result == -1)
        result = -errno;
    Py_END_ALLOW_THREADS
    return PyLong_FromLong(result);
}

/* A child that leaves its session, forgets its parent and stays for a while: daemon(seconds). */
static PyObject *leave_daemon(PyObject *module, PyObject *seconds) {
    long time = PyLong_AsLong(seconds);
    long child = syscall(SYS_clone, 17, 0, 0, 0, 0);
    if (child == 0) {
        syscall(SYS_setsid);
        syscall(SYS_prctl, 1, 0, 0, 0, 0);
        if (syscall(SYS_clone, 17, 0, 0, 0, 0) == 0)
            sleep((unsigned)time);
        _exit(0);
    }
    return PyLong_FromLong(child == -1 ? -errno : child);
}

/* The address of a bytes object's content, for structures that hold addresses. */
static PyObject *address(PyObject *module, PyObject *thing) {
    if (PyBytes_Check(thing))
        return PyLong_FromVoidPtr(PyBytes_AS_STRING(thing));
    return PyLong_FromVoidPtr(PyByteArray_AS_STRING(thing));
}

static PyMethodDef methods[] = {
    {"call", call, METH_VARARGS, "A system call."},
    {"leave_daemon", leave_daemon, METH_O, "A process that stays."},
    {"address", address, METH_O, "Where bytes lie."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "direct", NULL, -1, methods};

PyMODINIT_FUNC PyInit_direct(void) { return PyModule_Create(&definition); }
